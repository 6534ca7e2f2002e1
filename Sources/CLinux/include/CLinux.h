// What the C library has and Swift's Glibc module does not show.
#ifndef CLINUX_H
#define CLINUX_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/// Size of the record that one signal is read as from a signalfd(2).
enum { clinux_signalfd_siginfo_size = sizeof(struct signalfd_siginfo) };

/// tcp(7): how long sent bytes may stay unacknowledged before the connection is given up.
enum { clinux_tcp_user_timeout = TCP_USER_TIMEOUT };

#endif
