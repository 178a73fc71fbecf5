/* What pulling and pushing charts share. */
#pragma once
#include "chart/oci.h"

#define CHART_OCI_CONFIG STR("application/vnd.cncf.helm.config.v1+json")
#define CHART_OCI_CONTENT STR("application/vnd.cncf.helm.chart.content.v1.tar+gzip")
#define CHART_OCI_PROV STR("application/vnd.cncf.helm.chart.provenance.v1.prov")

struct chart_oci {
    struct registry *registry;
    const struct chart_dirs *dirs; /* of the content cache, or NULL */
};
/* "oci://…" to its parts, views into text, where '+' of the tag is '_'. */
int chart_oci_name_parse(str reference, struct buf *text, struct registry_name *ret,
                         struct err *e) MUST_CHECK;
void chart_oci_tag_of(str version, struct buf *out); /* '+' to '_' */
