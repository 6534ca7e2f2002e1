#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

int clinux_rename_new(int directory, const char *old_name, const char *new_name) {
  return renameat2(directory, old_name, directory, new_name, RENAME_NOREPLACE);
}

int clinux_reserve(int file, off_t count) { return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, count); }

int clinux_begin_writing(int file, off_t offset, off_t count) {
  return sync_file_range(file, offset, count, SYNC_FILE_RANGE_WRITE);
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int clinux_clock_is_synchronized(void) {
  struct timex clock = {.modes = 0};
  int state = adjtimex(&clock);
  if (state == -1) return -1;
  return state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}

// The filter also checks the architecture, because call numbers differ between architectures (seccomp(2)).
#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int clinux_renounce_calls(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) return -1;
#ifdef OWN_ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define ALLOW(call) UNLESS(__NR_##call, 1), ANSWER(SECCOMP_RET_ALLOW)
  struct sock_filter filter[] = {
      LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0), ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr), ALLOW(read), ALLOW(write), ALLOW(brk), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise),
      ALLOW(mprotect), ALLOW(futex), ALLOW(getrandom), ALLOW(rt_sigreturn), ALLOW(exit), ALLOW(exit_group),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};
  return prctl(PR_SET_SECCOMP, (unsigned long)SECCOMP_MODE_FILTER, &program, 0L, 0L);
#else
  return 0;
#endif
}

int clinux_address_bytes(const struct sockaddr *address, unsigned char bytes[16])
{
    switch (address->sa_family) {
    case AF_INET:
        memcpy(bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
        return 4;
    case AF_INET6:
        memcpy(bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
        return 16;
    default:
        return 0;
    }
}

static struct sockaddr_in place(const unsigned char address[4], unsigned short port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (address) memcpy(&place.sin_addr, address, 4);
    return place;
}

int clinux_bind_any(int socket, unsigned short port)
{
    struct sockaddr_in any = place(NULL, port);
    return bind(socket, (const struct sockaddr *)&any, sizeof any);
}

ssize_t clinux_send_to(int socket, const unsigned char address[4], unsigned short port, const void *bytes, size_t count)
{
    struct sockaddr_in to = place(address, port);
    return sendto(socket, bytes, count, MSG_NOSIGNAL, (const struct sockaddr *)&to, sizeof to);
}

int clinux_set_group(
    int socket, int option, const unsigned char group[4], int interface, const unsigned char source[4])
{
    struct ip_mreqn request = {.imr_ifindex = interface};
    memcpy(&request.imr_multiaddr, group, 4);
    memcpy(&request.imr_address, source, 4);
    return setsockopt(socket, IPPROTO_IP, option, &request, sizeof request);
}

static int give_back(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        // A writable segment has changed pages, whose content is nowhere else.
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        size_t start = (object->dlpi_addr + segment->p_vaddr) / page * page;
        size_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void clinux_give_back_code(void)
{
    dl_iterate_phdr(give_back, NULL);
}
