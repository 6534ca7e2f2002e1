// Fields that the C library's tcp_info does not contain.
#ifndef CLINUX_TCP_H
#define CLINUX_TCP_H

#include <stdint.h>

/// The beginning of TCP_INFO's result (tcp(7), linux/tcp.h), up to the data that the peer has not received.
struct clinux_tcp_info {
  uint32_t before_unacked[6];
  /// Segments that were sent and not acknowledged.
  uint32_t unacked;
  uint32_t before_notsent[29];
  /// Bytes that were not sent yet.
  uint32_t notsent;
};

#endif
