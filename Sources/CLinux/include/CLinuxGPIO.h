// The kernel's own words on GPIO lines, the second version of its interface (Linux 5.10 and newer).
#ifndef CLINUX_GPIO_H
#define CLINUX_GPIO_H

#include <linux/gpio.h>

// Each is the ioctl(2) of that name in <linux/gpio.h>, whose macros Swift cannot see. They return -1 with errno set.

/// GPIO_GET_CHIPINFO_IOCTL: of a chip that is open.
int clinux_gpio_chip_info(int chip, struct gpiochip_info *info);

/// GPIO_V2_GET_LINEINFO_IOCTL: of the line with this offset.
int clinux_gpio_line_info(int chip, struct gpio_v2_line_info *info);

/// GPIO_V2_GET_LINE_IOCTL: takes lines; `fd` is their descriptor afterwards.
int clinux_gpio_request(int chip, struct gpio_v2_line_request *request);

/// GPIO_V2_LINE_GET_VALUES_IOCTL: of lines that were taken.
int clinux_gpio_get(int lines, struct gpio_v2_line_values *values);

/// GPIO_V2_LINE_SET_VALUES_IOCTL: of lines that were taken as outputs.
int clinux_gpio_set(int lines, struct gpio_v2_line_values *values);

#endif
