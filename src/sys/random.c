#include "sys/random.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <unistd.h>

typedef void fill_fn(void *p, size_t len);
static _Atomic(fill_fn *) replacement;

void random_replace(void (*fill)(void *p, size_t len)) { atomic_store(&replacement, fill); }

/* Some sandboxes know no getrandom. Without randomness there is no going on: what would be made are
 * names and keys that others can guess. */
static ssize_t read_device(void *p, size_t len)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, p, len);

    if (got <= 0 && errno != EINTR) {
        perror("no random numbers: getrandom and /dev/urandom fail");
        abort();
    }
    if (fd >= 0)
        close(fd);
    return got;
}

void random_bytes(void *p, size_t len)
{
    fill_fn *fill = atomic_load(&replacement);
    char *at = p;

    if (fill) {
        fill(p, len);
        return;
    }
    while (len > 0) {
        ssize_t got = getrandom(at, len, 0);

        if (got < 0 && errno != EINTR)
            got = read_device(at, len);
        at += got > 0 ? got : 0;
        len -= got > 0 ? (size_t)got : 0;
    }
}

uint64_t random_u64(void)
{
    uint64_t n;

    random_bytes(&n, sizeof(n));
    return n;
}

uint64_t random_below(uint64_t limit)
{
    uint64_t uneven, n;

    assert(limit > 0);
    uneven = -limit % limit; /* 2^64 mod limit: the first numbers that would come up too often */
    do {
        n = random_u64();
    } while (n < uneven);
    return n % limit;
}

/* A call of the kernel for each letter was a tenth of what writing a small file takes: one number
 * is good for thirteen. */
void random_suffix(size_t length, struct buf *out)
{
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    enum { COUNT = sizeof(letters) - 1, AT_ONCE = 13 };
    uint64_t power = 1, n;

    for (size_t left = length; left > 0; power = 1) {
        size_t now = MIN(left, (size_t)AT_ONCE);

        for (size_t i = 0; i < now; i++)
            power *= COUNT;
        n = random_below(power);
        for (size_t i = 0; i < now; i++, n /= COUNT)
            buf_add_char(out, letters[n % COUNT]);
        left -= now;
    }
}
