// The kernel's definitions for netlink (netlink(7), rtnetlink(7)) and radios (nl80211).
#ifndef CLINUX_NETLINK_H
#define CLINUX_NETLINK_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/nl80211.h>
#include <linux/rtnetlink.h>

/// The sizes of the records at the beginning of the kernel's messages.
enum {
  clinux_genlmsghdr_size = sizeof(struct genlmsghdr),
  clinux_ifaddrmsg_size = sizeof(struct ifaddrmsg),
  clinux_ifinfomsg_size = sizeof(struct ifinfomsg),
  clinux_nlmsghdr_size = sizeof(struct nlmsghdr),
  clinux_rtmsg_size = sizeof(struct rtmsg),
};

/// Constants of <linux/if.h>, which conflicts with the C library's <net/if.h>.
extern const unsigned int clinux_iff_lower_up;
extern const unsigned char clinux_operstate_unknown;
extern const unsigned char clinux_operstate_up;

/// Opens a non-blocking netlink socket and returns its descriptor, or -1. The socket is bound and connected, so that
/// only the kernel can write to it (netlink(7)).
int clinux_netlink_open(int protocol);

/// The kernel's port of the socket; 0: unknown. Answers to this socket have this port, multicast messages do not.
unsigned int clinux_netlink_port(int descriptor);

#endif
