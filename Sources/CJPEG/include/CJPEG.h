// Reads the light of a baseline JPEG with libjpeg-turbo, row by row: no whole picture is in memory. The library reports
// errors by a jump, which must not cross Swift code, so this code is C.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

enum {
  /// The largest picture, in pixels and in bytes of its file.
  cjpeg_pixels_max = 100000000,
  cjpeg_bytes_max = 64 << 20,
  /// Larger pictures are read at half their width and height. This averages four pixels into one.
  cjpeg_whole_pixels_max = 64000000,
  /// The blocks along the longer and the shorter side. A picture with fewer pixels has a block for each.
  cjpeg_long_side_max = 384,
  cjpeg_short_side_max = 256,
  cjpeg_spots_max = 16,
  /// A pixel with a channel of at least this code is clipped; see the tone table of the metering.
  cjpeg_clipped_code = 250,
  /// A block with more clipped pixels than this share, in percent, is white.
  cjpeg_white_percent = 5,
  cjpeg_white_block = 255,
};

enum cjpeg_result {
  cjpeg_read_light,
  cjpeg_not_jpeg,
  cjpeg_progressive,
  cjpeg_arithmetic,
  /// Several scans, a lossless or hierarchical JPEG, other bit depths, or other numbers of channels.
  cjpeg_unusual,
  cjpeg_too_many_pixels,
  cjpeg_too_many_bytes,
  /// Cut off, or invalid codes.
  cjpeg_damaged,
  cjpeg_no_memory,
};

/// A box around a point. Its histograms are filled when the picture is read.
struct cjpeg_spot {
  /// The point in the picture as it is stored, 0 to 1 from its top left.
  double x, y;
  uint32_t brightest[256], luma[256];
};

struct cjpeg_light {
  /// As stored, before scaling.
  uint32_t width, height;
  /// 1, or 2 if the picture was read at half its size.
  uint32_t scale;
  /// The pixels of each code: of the brightest channel, and of luma.
  uint32_t brightest[256], luma[256];
  uint32_t columns, rows;
  /// The median luma of each block, row by row; `cjpeg_white_block` for a white one.
  uint8_t blocks[cjpeg_long_side_max * cjpeg_short_side_max];
};

/// The blocks. Swift does not import a field that is such a large array.
static inline const uint8_t *cjpeg_blocks(const struct cjpeg_light *light) { return light->blocks; }

/// Bytes that were read already, and the descriptor with the rest.
struct cjpeg_source {
  const uint8_t *head;
  size_t head_count;
  int file;
};

/// Reads a picture. The side of a spot's box is 3 % of the picture's width, at least 8 pixels.
///
/// - is_sideways: the camera was held upright, so the stored height is the picture's width.
enum cjpeg_result cjpeg_read(
    struct cjpeg_source source, struct cjpeg_light *light, struct cjpeg_spot *spots, size_t spot_count,
    int is_sideways);

#endif
