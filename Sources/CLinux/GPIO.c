#include "CLinuxGPIO.h"

#include <sys/ioctl.h>

int clinux_gpio_chip_info(int chip, struct gpiochip_info *info)
{
    return ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, info);
}

int clinux_gpio_line_info(int chip, struct gpio_v2_line_info *info)
{
    return ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, info);
}

int clinux_gpio_request(int chip, struct gpio_v2_line_request *request)
{
    return ioctl(chip, GPIO_V2_GET_LINE_IOCTL, request);
}

int clinux_gpio_get(int lines, struct gpio_v2_line_values *values)
{
    return ioctl(lines, GPIO_V2_LINE_GET_VALUES_IOCTL, values);
}

int clinux_gpio_set(int lines, struct gpio_v2_line_values *values)
{
    return ioctl(lines, GPIO_V2_LINE_SET_VALUES_IOCTL, values);
}
