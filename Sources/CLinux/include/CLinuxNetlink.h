// The kernel's own words on netlink (netlink(7), rtnetlink(7)) and on radios (nl80211).
#ifndef CLINUX_NETLINK_H
#define CLINUX_NETLINK_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/nl80211.h>
#include <linux/rtnetlink.h>

/// Sizes of the records that stand first in the kernel's messages.
enum {
  clinux_genlmsghdr_size = sizeof(struct genlmsghdr),
  clinux_ifaddrmsg_size = sizeof(struct ifaddrmsg),
  clinux_ifinfomsg_size = sizeof(struct ifinfomsg),
  clinux_nlmsghdr_size = sizeof(struct nlmsghdr),
  clinux_rtmsg_size = sizeof(struct rtmsg),
};

/// What <linux/if.h> names, which the C library's <net/if.h> does not bear beside it.
extern const unsigned int clinux_iff_lower_up;
extern const unsigned char clinux_operstate_unknown;
extern const unsigned char clinux_operstate_up;

/// A netlink socket that never waits and that nobody but the kernel can write to: it is bound and connected
/// (netlink(7)). Returns its descriptor, or -1.
int clinux_netlink_open(int protocol);

/// What the kernel calls the socket, by which its answers are told from what it says to everybody; 0: not known.
unsigned int clinux_netlink_port(int descriptor);

#endif
