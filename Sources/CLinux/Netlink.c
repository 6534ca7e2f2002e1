#define _GNU_SOURCE
#include "CLinuxNetlink.h"

#include <errno.h>
#include <linux/if.h>
#include <sys/socket.h>
#include <unistd.h>

const unsigned int clinux_iff_lower_up = IFF_LOWER_UP;
const unsigned char clinux_operstate_unknown = IF_OPER_UNKNOWN;
const unsigned char clinux_operstate_up = IF_OPER_UP;

int clinux_netlink_open(int protocol)
{
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (descriptor == -1) return -1;
    // Port 0 means any port for bind(2), and the kernel's port for connect(2).
    struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    const struct sockaddr *any = (const struct sockaddr *)&address;
    if (bind(descriptor, any, sizeof address) == 0 && connect(descriptor, any, sizeof address) == 0) return descriptor;
    int code = errno;
    close(descriptor);
    errno = code;
    return -1;
}

unsigned int clinux_netlink_port(int descriptor)
{
    struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    socklen_t length = sizeof address;
    return getsockname(descriptor, (struct sockaddr *)&address, &length) == 0 ? address.nl_pid : 0;
}
