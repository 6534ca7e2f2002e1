#include "CLinuxTCP.h"

#include <linux/tcp.h>
#include <stddef.h>

_Static_assert(offsetof(struct clinux_tcp_info, unacked) == offsetof(struct tcp_info, tcpi_unacked), "tcpi_unacked");
_Static_assert(
    offsetof(struct clinux_tcp_info, notsent) == offsetof(struct tcp_info, tcpi_notsent_bytes), "tcpi_notsent_bytes");
