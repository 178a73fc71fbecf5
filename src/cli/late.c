/* Functions of libc that few commands call, looked up by their name when they are called. The
 * loader looks up what a program imports before it starts, 0.3 us for each of them or more when
 * nothing is in the cache, and all of these would cost a small build 3 % of its time
 * (docs/decisions/6-start.md). The names stand for the whole program: callers know nothing of it.
 *
 * A look-up takes about 0.5 us each time, as nothing is kept: there are no pointers to functions in
 * memory that can be written. So only what does far more than that is here, or what is done once
 * for a process, a thread, a connection. Not for signal handlers, and not for dlerror: a look-up
 * forgets what it would tell.
 *
 * With a sanitizer, which stands in for some of them, and on other machines they are imported. */
#include <dlfcn.h>
#include <stdlib.h>

#include "base/base.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#endif

#if defined(__x86_64__) && !defined(HAS_SANITIZER)

/* Processes and what is waited for, threads, memory by the megabyte. None of them takes a floating
 * point number. */
#define PROCESSES                                                                       \
    "aligned_alloc, __assert_fail, dlclose, dlopen, __explicit_bzero_chk, "             \
    "getgid, gethostname, getpid, getrandom, getuid, kill, mallinfo2, mallopt, pipe2, " \
    "posix_spawn_file_actions_addchdir_np, posix_spawn_file_actions_addclosefrom_np, "  \
    "posix_spawn_file_actions_adddup2, posix_spawn_file_actions_addopen, "              \
    "posix_spawn_file_actions_destroy, posix_spawn_file_actions_init, "                 \
    "posix_spawnattr_destroy, posix_spawnattr_init, posix_spawnattr_setflags, "         \
    "posix_spawnattr_setpgroup, posix_spawnattr_setsigdefault, "                        \
    "posix_spawnattr_setsigmask, posix_spawnp, prctl, pthread_attr_destroy, "           \
    "pthread_attr_init, pthread_attr_setstacksize, pthread_cond_destroy, "              \
    "pthread_cond_init, pthread_cond_timedwait, pthread_condattr_destroy, "             \
    "pthread_condattr_init, pthread_condattr_setclock, pthread_create, pthread_join, "  \
    "pthread_setname_np, pthread_sigmask, sbrk, __sched_cpucount, sched_getaffinity, "  \
    "sigabbrev_np, sigaddset, sigdelset, sigemptyset, sigfillset, sigismember, "        \
    "signalfd, sigpending, sigtimedwait, wait4, waitid, waitpid"
/* Files, terminals, the network. */
#define FILES                                                                             \
    "access, chmod, closedir, epoll_create1, eventfd, faccessat, fchmod, fclose, fcntl, " \
    "fdopendir, flock, fnmatch, fopen, fread, freeaddrinfo, fsync, getaddrinfo, getcwd, " \
    "getnameinfo, glob, globfree, inet_pton, inotify_add_watch, inotify_init1, ioctl, "   \
    "__isoc99_fscanf, localtime_r, mkdir, mkdtemp, newlocale, opendir, perror, "          \
    "readlink, readlinkat, realpath, __realpath_chk, rename, strerror_r, strftime, "      \
    "tcgetattr, tcsetattr, unlink, unlinkat, wctrans_l"

void *late_find(const char *name) __attribute__((used, visibility("hidden")));

void *late_find(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);

    if (!function)
        abort(); /* the linker found it in the libc that the program was linked with */
    return function;
}

/* For each name a function that leaves it in r11, which belongs to nobody, and goes on in
 * late_call: that saves the arguments around late_find, on a stack aligned to 16 bytes, and jumps
 * to what was found, which returns to the caller. */
__asm__(".pushsection .text.late, \"ax\", @progbits\n"
        "late_call:\n"
        "    .cfi_startproc\n"
        "    subq $72, %rsp\n"
        "    .cfi_adjust_cfa_offset 72\n"
        "    movq %rdi, (%rsp)\n"
        "    movq %rsi, 8(%rsp)\n"
        "    movq %rdx, 16(%rsp)\n"
        "    movq %rcx, 24(%rsp)\n"
        "    movq %r8, 32(%rsp)\n"
        "    movq %r9, 40(%rsp)\n"
        "    movq %rax, 48(%rsp)\n"
        "    movq %r11, %rdi\n"
        "    call late_find\n"
        "    movq %rax, %r11\n"
        "    movq (%rsp), %rdi\n"
        "    movq 8(%rsp), %rsi\n"
        "    movq 16(%rsp), %rdx\n"
        "    movq 24(%rsp), %rcx\n"
        "    movq 32(%rsp), %r8\n"
        "    movq 40(%rsp), %r9\n"
        "    movq 48(%rsp), %rax\n"
        "    addq $72, %rsp\n"
        "    .cfi_adjust_cfa_offset -72\n"
        "    jmp *%r11\n"
        "    .cfi_endproc\n"
        "    .irp name, " PROCESSES ", " FILES "\n"
        "    .globl \\name\n"
        "    .hidden \\name\n"
        "    .type \\name, @function\n"
        "\\name:\n"
        "    leaq 1f(%rip), %r11\n"
        "    jmp late_call\n"
        "1:  .asciz \"\\name\"\n"
        "    .endr\n"
        "    .popsection\n");

#endif
