// The kernel's GPIO interface, version 2 (Linux 5.10 and newer).
#ifndef CLINUX_GPIO_H
#define CLINUX_GPIO_H

#include <linux/gpio.h>

// Each function calls the ioctl(2) of <linux/gpio.h> that its comment names, and returns -1 with errno after an error.

/// GPIO_GET_CHIPINFO_IOCTL, for an open chip.
int clinux_gpio_chip_info(int chip, struct gpiochip_info *info);

/// GPIO_V2_GET_LINEINFO_IOCTL, for the line with this offset.
int clinux_gpio_line_info(int chip, struct gpio_v2_line_info *info);

/// GPIO_V2_GET_LINE_IOCTL: requests lines and writes their descriptor to `fd`.
int clinux_gpio_request(int chip, struct gpio_v2_line_request *request);

/// GPIO_V2_LINE_GET_VALUES_IOCTL, for requested lines.
int clinux_gpio_get(int lines, struct gpio_v2_line_values *values);

/// GPIO_V2_LINE_SET_VALUES_IOCTL, for lines requested as outputs.
int clinux_gpio_set(int lines, struct gpio_v2_line_values *values);

#endif
