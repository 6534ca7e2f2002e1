// Functions of the C library that Swift's Glibc module does not contain.
#ifndef CLINUX_H
#define CLINUX_H

#include "CLinuxGPIO.h"
#include "CLinuxNetlink.h"
#include "CLinuxTCP.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>

/// The size of a record that a signalfd(2) returns.
enum { clinux_signalfd_siginfo_size = sizeof(struct signalfd_siginfo) };

/// tcp(7): how long sent bytes can stay unacknowledged before the kernel closes the connection.
enum { clinux_tcp_user_timeout = TCP_USER_TIMEOUT };

/// rename(2) within one directory; fails with EEXIST if the new name exists (RENAME_NOREPLACE).
int clinux_rename_new(int directory, const char *old_name, const char *new_name);

/// Reserves disk space without changing the file's length (fallocate(2), FALLOC_FL_KEEP_SIZE).
int clinux_reserve(int file, off_t count);

/// Starts writeback of a part of the file without waiting (sync_file_range(2)).
int clinux_begin_writing(int file, off_t offset, off_t count);

/// pipe(2) with O_CLOEXEC.
int clinux_pipe(int ends[2]);

/// In the new process, closes all descriptors from `first` on (posix_spawn_file_actions_addclosefrom_np(3)).
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// Gives the pages of the program file and of its libraries that hold code back to the system (madvise(2),
/// MADV_DONTNEED). A page that is used again comes from the page cache, or from the disk.
void clinux_give_back_code(void);

/// Whether the system's clock is synchronized (adjtimex(2)): 1 yes, 0 no, -1 unknown.
int clinux_clock_is_synchronized(void);

/// Copies the bytes of an IPv4 or IPv6 address, most significant first. Returns the number of bytes: 4, 16, or 0 for
/// another family.
int clinux_address_bytes(const struct sockaddr *address, unsigned char bytes[16]);

/// Binds a socket to every IPv4 address of this machine (bind(2)). Port 0 means any free port.
int clinux_bind_any(int socket, unsigned short port);

/// sendto(2) to an IPv4 address, most significant byte first. Returns the number of bytes sent, or -1.
ssize_t clinux_send_to(int socket, const unsigned char address[4], unsigned short port, const void *bytes, size_t count);

/// setsockopt(2) with an option of ip(7) that takes a group and an interface: IP_ADD_MEMBERSHIP, IP_DROP_MEMBERSHIP,
/// IP_MULTICAST_IF. `source` is our address on the interface; 0.0.0.0 means the interface's first address.
int clinux_set_group(
    int socket, int option, const unsigned char group[4], int interface, const unsigned char source[4]);

/// Permanently restricts this process to using memory and open files (seccomp(2)). Every other call fails with EPERM.
/// Programs that this process starts cannot get more rights (PR_SET_NO_NEW_PRIVS). Returns -1 if the system does not
/// support seccomp(2).
///
/// The call numbers are known only for x86-64 and AArch64. On other architectures this function only sets
/// PR_SET_NO_NEW_PRIVS and returns 0. Only setrlimit(2) then limits the process.
int clinux_renounce_calls(void);

#endif
