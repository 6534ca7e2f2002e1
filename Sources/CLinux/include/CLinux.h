// What the C library has and Swift's Glibc module does not show.
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

/// Size of the record that one signal is read as from a signalfd(2).
enum { clinux_signalfd_siginfo_size = sizeof(struct signalfd_siginfo) };

/// tcp(7): how long sent bytes may stay unacknowledged before the connection is given up.
enum { clinux_tcp_user_timeout = TCP_USER_TIMEOUT };

/// rename(2), both names in one directory, which fails with EEXIST where the new name is taken (RENAME_NOREPLACE).
int clinux_rename_new(int directory, const char *old_name, const char *new_name);

/// Takes room on the disk for so many bytes and leaves the file as long as it is (fallocate(2), FALLOC_FL_KEEP_SIZE).
int clinux_reserve(int file, off_t count);

/// Has the system begin to write a part of the file to the disk, and waits for nothing (sync_file_range(2)).
int clinux_begin_writing(int file, off_t offset, off_t count);

/// pipe(2) whose ends no program that is started gets (O_CLOEXEC).
int clinux_pipe(int ends[2]);

/// The program to come has no descriptor from this one on (closefrom of posix_spawn_file_actions_addclosefrom_np(3)).
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// What the system thinks of its clock (adjtimex(2)): 1 it is held to a time server or the like, 0 it is not, -1 the
/// system does not say.
int clinux_clock_is_synchronized(void);

/// Copies the bytes of an IPv4 or IPv6 address, the most significant first. Returns how many: 4, 16, or 0 for another
/// kind.
int clinux_address_bytes(const struct sockaddr *address, unsigned char bytes[16]);

/// bind(2) to every IPv4 address of this machine; port 0: any that is free.
int clinux_bind_any(int socket, unsigned short port);

/// sendto(2) an IPv4 address, given with the most significant byte first. Returns how many bytes went out, or -1.
ssize_t clinux_send_to(int socket, const unsigned char address[4], unsigned short port, const void *bytes, size_t count);

/// setsockopt(2) with an option of ip(7) that takes a group and an interface: IP_ADD_MEMBERSHIP, IP_DROP_MEMBERSHIP,
/// IP_MULTICAST_IF. `source` is the address of ours that goes with it; 0.0.0.0: the interface's first.
int clinux_set_group(
    int socket, int option, const unsigned char group[4], int interface, const unsigned char source[4]);

/// Takes from this process, for good, all that it does not need to read and write what is open and to use memory
/// (seccomp(2)): every other call fails with EPERM. Also no program that it starts could get more rights than it has
/// (PR_SET_NO_NEW_PRIVS). -1: the system cannot.
///
/// The calls' numbers are known for x86-64 and AArch64 only. On any other processor this takes the way to more rights
/// and no call, and says 0: what holds the process there is setrlimit(2) alone.
int clinux_renounce_calls(void);

#endif
