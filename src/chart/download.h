/* Fetching archives of charts (helm spec 14): what `pull`, `dependency update` and chart_locate
 * stand on. Blocking; any thread. */
#pragma once
#include "chart/locate.h"

struct chart_download {
    struct buf archive;
    struct buf file_name;  /* "web-1.2.0.tgz": the last part of the URL */
    struct buf url;        /* where it came from, without userinfo; of a registry the reference */
    struct buf sha256;     /* of the archive, hexadecimal */
    struct buf prov;       /* the provenance file */
    struct buf report;     /* of a verification */
    struct buf oci_digest; /* of a registry's manifest, else empty */
    bool is_recalled;      /* the archive is from the content cache */
    struct err no_prov;    /* why there is no provenance file, when it was asked for */
};
void chart_download_done(struct chart_download *d); /* leaves {0} */
AUTO_VALUE(struct chart_download, chart_download_done)

enum chart_prov { CHART_NO_PROV, CHART_PROV_IF_THERE };
/* Fetches a chart: REPO/NAME, a NAME with source->repo, a URL, or oci://. What the content cache
 * has by the index's digest is not fetched again. A digest other than the index's: ERR_CONFLICT.
 * With source->verifies the provenance must be there and hold. *ret must be {0}. */
int chart_download(str reference, const struct chart_source *source, enum chart_prov prov,
                   struct chart_download *ret, struct err *e) MUST_CHECK;
struct chart_repo;
/* The same of a version of a chart in a repository, by its cached index. */
int chart_download_version(const struct chart_repo *repo, str name, str version,
                           const struct chart_source *source, struct chart_download *ret,
                           struct err *e) MUST_CHECK;
