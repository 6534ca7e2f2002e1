// What the C library's tcp_info does not have yet.
#ifndef CLINUX_TCP_H
#define CLINUX_TCP_H

#include <stdint.h>

/// The beginning of what TCP_INFO tells (tcp(7), linux/tcp.h), as far as it says what the other side has not taken.
struct clinux_tcp_info {
  uint32_t before_unacked[6];
  /// Segments that were sent and are not acknowledged.
  uint32_t unacked;
  uint32_t before_notsent[29];
  /// Bytes that were not sent yet.
  uint32_t notsent;
};

#endif
