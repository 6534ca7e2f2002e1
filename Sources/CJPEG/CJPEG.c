#include "CJPEG.h"

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The library's header needs stdio.h before it.
#include <jerror.h>
#include <jpeglib.h>

enum {
  piece_size = 1 << 16,
  // What the library may use for whole pictures. A baseline picture with one scan needs none.
  library_memory_max = 4 << 20,
};

struct source {
  struct jpeg_source_mgr base;
  struct cjpeg_source bytes;
  size_t count;
  JOCTET piece[piece_size];
};

struct errors {
  struct jpeg_error_mgr base;
  enum cjpeg_result result;
  jmp_buf end;
};

/// How much a pair of chroma codes adds to luma in the brightest channel (JFIF), in 1/65536.
struct chroma {
  int32_t red[256], green_blue[256], green_red[256], blue[256];
};

/// A part of the picture as it is decoded.
struct box {
  uint32_t left, top, right, bottom;
};

struct reading {
  struct jpeg_decompress_struct library;
  struct errors errors;
  struct source source;
  struct chroma chroma;
  struct cjpeg_light *light;
  struct cjpeg_spot *spots;
  size_t spot_count;
  struct box boxes[cjpeg_spots_max];
  // The first pixel of each block of a row, and the end.
  uint32_t edges[cjpeg_long_side_max + 1];
  // The blocks of the present row.
  uint32_t block_row, clipped[cjpeg_long_side_max];
  uint32_t counts[cjpeg_long_side_max][256];
};

// MARK: Errors

static void stop(struct errors *errors, enum cjpeg_result result)
{
  errors->result = result;
  longjmp(errors->end, 1);
}

static void exit_on_error(j_common_ptr library)
{
  struct errors *errors = (struct errors *)library->err;
  switch (errors->base.msg_code) {
  case JERR_NO_SOI: stop(errors, cjpeg_not_jpeg); break;
  case JERR_OUT_OF_MEMORY: stop(errors, cjpeg_no_memory); break;
  case JERR_IMAGE_TOO_BIG: stop(errors, cjpeg_too_many_pixels); break;
  case JERR_ARITH_NOTIMPL: stop(errors, cjpeg_arithmetic); break;
  case JERR_SOF_UNSUPPORTED:
  case JERR_BAD_PRECISION:
  case JERR_COMPONENT_COUNT:
  case JERR_CONVERSION_NOTIMPL: stop(errors, cjpeg_unusual); break;
  default: stop(errors, cjpeg_damaged);
  }
}

// A warning stands for pixels that the library invents, so the picture proves nothing.
static void stop_on_warning(j_common_ptr library, int level)
{
  if (level < 0) stop((struct errors *)library->err, cjpeg_damaged);
}

static void print_nothing(j_common_ptr library) { (void)library; }

// MARK: Source

static void keep_source(j_decompress_ptr library) { (void)library; }

static boolean fill_source(j_decompress_ptr library)
{
  struct source *source = (struct source *)library->src;
  struct errors *errors = (struct errors *)library->err;
  ssize_t received = 0;
  if (source->bytes.head_count > 0) {
    source->base.next_input_byte = source->bytes.head;
    received = (ssize_t)source->bytes.head_count;
    source->bytes.head_count = 0;
  } else {
    do received = read(source->bytes.file, source->piece, piece_size);
    while (received < 0 && errno == EINTR);
    source->base.next_input_byte = source->piece;
  }
  // The library would invent the missing end.
  if (received <= 0) stop(errors, source->count == 0 ? cjpeg_not_jpeg : cjpeg_damaged);
  source->count += (size_t)received;
  if (source->count > cjpeg_bytes_max) stop(errors, cjpeg_too_many_bytes);
  source->base.bytes_in_buffer = (size_t)received;
  return TRUE;
}

static void skip_source(j_decompress_ptr library, long count)
{
  struct source *source = (struct source *)library->src;
  while (count > 0 && (size_t)count > source->base.bytes_in_buffer) {
    count -= (long)source->base.bytes_in_buffer;
    fill_source(library);
  }
  if (count <= 0) return;
  source->base.next_input_byte += count;
  source->base.bytes_in_buffer -= (size_t)count;
}

// MARK: Header

static enum cjpeg_result check_header(const struct jpeg_decompress_struct *library)
{
  if (library->arith_code) return cjpeg_arithmetic;
  if (library->progressive_mode) return cjpeg_progressive;
  if ((uint64_t)library->image_width * library->image_height > cjpeg_pixels_max) return cjpeg_too_many_pixels;
  // The library keeps a picture with several scans whole.
  bool is_usual = library->data_precision == 8 && library->comps_in_scan == library->num_components &&
                  (library->jpeg_color_space == JCS_GRAYSCALE || library->jpeg_color_space == JCS_YCbCr ||
                   library->jpeg_color_space == JCS_RGB);
  return is_usual ? cjpeg_read_light : cjpeg_unusual;
}

static uint32_t smaller(uint32_t left, uint32_t right) { return left < right ? left : right; }

static void choose_blocks(struct reading *reading)
{
  struct cjpeg_light *light = reading->light;
  uint32_t width = reading->library.output_width, height = reading->library.output_height;
  bool is_wide = width >= height;
  light->columns = smaller(width, is_wide ? cjpeg_long_side_max : cjpeg_short_side_max);
  light->rows = smaller(height, is_wide ? cjpeg_short_side_max : cjpeg_long_side_max);
  for (uint32_t column = 0; column <= light->columns; column++)
    reading->edges[column] = (uint32_t)((uint64_t)column * width / light->columns);
}

/// Where a box of a size begins, so that it is within the picture.
static uint32_t box_start(double place, uint32_t side, uint32_t size)
{
  double start = place * size - side / 2.0;
  if (!(start > 0)) return 0;
  return smaller((uint32_t)start, size - side);
}

static void place_boxes(struct reading *reading, bool is_sideways)
{
  uint32_t width = reading->library.output_width, height = reading->library.output_height;
  uint32_t side = (is_sideways ? height : width) * 3 / 100;
  if (side < 8) side = 8;
  for (size_t index = 0; index < reading->spot_count; index++) {
    const struct cjpeg_spot *spot = &reading->spots[index];
    uint32_t across = smaller(side, width), down = smaller(side, height);
    struct box *box = &reading->boxes[index];
    box->left = box_start(spot->x, across, width);
    box->top = box_start(spot->y, down, height);
    box->right = box->left + across;
    box->bottom = box->top + down;
  }
}

static void begin(struct reading *reading)
{
  j_decompress_ptr library = &reading->library;
  jpeg_read_header(library, TRUE);
  enum cjpeg_result result = check_header(library);
  if (result != cjpeg_read_light) stop(&reading->errors, result);
  uint64_t pixels = (uint64_t)library->image_width * library->image_height;
  reading->light->width = library->image_width;
  reading->light->height = library->image_height;
  reading->light->scale = pixels > cjpeg_whole_pixels_max ? 2 : 1;
  library->scale_num = 1;
  library->scale_denom = reading->light->scale;
  // Luma stays as it is in the file, and the brightest channel is cheaper without the conversion.
  library->out_color_space = library->jpeg_color_space;
  library->dct_method = JDCT_ISLOW;
  library->do_fancy_upsampling = FALSE;
  jpeg_start_decompress(library);
}

// MARK: Pixels

static void make_chroma(struct chroma *chroma)
{
  for (int code = 0; code < 256; code++) {
    double distance = code - 128;
    chroma->red[code] = (int32_t)(1.402 * distance * 65536);
    chroma->green_blue[code] = (int32_t)(-0.344136 * distance * 65536);
    chroma->green_red[code] = (int32_t)(-0.714136 * distance * 65536);
    chroma->blue[code] = (int32_t)(1.772 * distance * 65536);
  }
}

static int32_t larger(int32_t left, int32_t right) { return left > right ? left : right; }

static uint8_t limited(int32_t code) { return code < 0 ? 0 : code > 255 ? 255 : (uint8_t)code; }

/// Converts a row to the brightest channel and luma of each pixel.
static void convert(
    const struct reading *reading, const JSAMPLE *row, uint32_t width, uint8_t *restrict brightest,
    uint8_t *restrict luma)
{
  const struct chroma *chroma = &reading->chroma;
  switch (reading->library.out_color_space) {
  case JCS_GRAYSCALE:
    memcpy(brightest, row, width);
    memcpy(luma, row, width);
    return;
  case JCS_RGB:
    for (uint32_t x = 0; x < width; x++, row += 3) {
      brightest[x] = limited(larger(row[0], larger(row[1], row[2])));
      luma[x] = (uint8_t)((299 * row[0] + 587 * row[1] + 114 * row[2] + 500) / 1000);
    }
    return;
  default:
    for (uint32_t x = 0; x < width; x++, row += 3) {
      int32_t green = chroma->green_blue[row[1]] + chroma->green_red[row[2]];
      int32_t added = larger(larger(chroma->red[row[2]], chroma->blue[row[1]]), green);
      luma[x] = row[0];
      brightest[x] = limited(row[0] + ((added + 32768) >> 16));
    }
  }
}

static void end_block_row(struct reading *reading)
{
  struct cjpeg_light *light = reading->light;
  uint8_t *blocks = light->blocks + (size_t)reading->block_row * light->columns;
  for (uint32_t column = 0; column < light->columns; column++) {
    uint32_t *counts = reading->counts[column], total = 0, sum = 0, code = 0;
    for (uint32_t each = 0; each < 256; each++) total += counts[each];
    while (code < 255 && (sum += counts[code]) * 2 < total) code++;
    bool is_white = (uint64_t)reading->clipped[column] * 100 > (uint64_t)total * cjpeg_white_percent;
    // A block of luma 255 is white in any case.
    blocks[column] = is_white ? cjpeg_white_block : (uint8_t)code;
  }
  memset(reading->counts, 0, sizeof reading->counts[0] * light->columns);
  memset(reading->clipped, 0, sizeof reading->clipped);
}

static void count(struct reading *reading, uint32_t y, const uint8_t *brightest, const uint8_t *luma)
{
  struct cjpeg_light *light = reading->light;
  uint32_t block_row = (uint32_t)((uint64_t)y * light->rows / reading->library.output_height);
  if (block_row != reading->block_row) {
    end_block_row(reading);
    reading->block_row = block_row;
  }
  for (uint32_t column = 0; column < light->columns; column++) {
    uint32_t clipped = 0, *counts = reading->counts[column];
    for (uint32_t x = reading->edges[column]; x < reading->edges[column + 1]; x++) {
      light->brightest[brightest[x]]++;
      counts[luma[x]]++;
      clipped += brightest[x] >= cjpeg_clipped_code;
    }
    reading->clipped[column] += clipped;
  }
  for (uint32_t x = 0; x < reading->library.output_width; x++) light->luma[luma[x]]++;
  for (size_t index = 0; index < reading->spot_count; index++) {
    const struct box *box = &reading->boxes[index];
    if (y < box->top || y >= box->bottom) continue;
    for (uint32_t x = box->left; x < box->right; x++) {
      reading->spots[index].brightest[brightest[x]]++;
      reading->spots[index].luma[luma[x]]++;
    }
  }
}

static void read_rows(struct reading *reading)
{
  j_decompress_ptr library = &reading->library;
  uint32_t width = library->output_width;
  // The library frees these with the picture.
  JSAMPARRAY row = library->mem->alloc_sarray(
      (j_common_ptr)library, JPOOL_IMAGE, width * (uint32_t)library->output_components, 1);
  JSAMPARRAY codes = library->mem->alloc_sarray((j_common_ptr)library, JPOOL_IMAGE, width, 2);
  while (library->output_scanline < library->output_height) {
    uint32_t y = library->output_scanline;
    jpeg_read_scanlines(library, row, 1);
    convert(reading, row[0], width, codes[0], codes[1]);
    count(reading, y, codes[0], codes[1]);
  }
  end_block_row(reading);
  // The end of the file may be missing even though the last row is there.
  jpeg_finish_decompress(library);
}

enum cjpeg_result cjpeg_read(
    struct cjpeg_source source, struct cjpeg_light *light, struct cjpeg_spot *spots, size_t spot_count,
    int is_sideways)
{
  if (spot_count > cjpeg_spots_max) return cjpeg_unusual;
  struct reading *reading = calloc(1, sizeof *reading);
  if (!reading) return cjpeg_no_memory;
  memset(light, 0, sizeof *light);
  reading->light = light;
  reading->spots = spots;
  reading->spot_count = spot_count;
  make_chroma(&reading->chroma);
  reading->library.err = jpeg_std_error(&reading->errors.base);
  reading->errors.base.error_exit = exit_on_error;
  reading->errors.base.emit_message = stop_on_warning;
  reading->errors.base.output_message = print_nothing;
  if (setjmp(reading->errors.end) == 0) {
    jpeg_create_decompress(&reading->library);
    reading->library.mem->max_memory_to_use = library_memory_max;
    reading->source.bytes = source;
    reading->source.base.init_source = keep_source;
    reading->source.base.fill_input_buffer = fill_source;
    reading->source.base.skip_input_data = skip_source;
    reading->source.base.resync_to_restart = jpeg_resync_to_restart;
    reading->source.base.term_source = keep_source;
    reading->library.src = &reading->source.base;
    begin(reading);
    choose_blocks(reading);
    place_boxes(reading, is_sideways);
    read_rows(reading);
    reading->errors.result = cjpeg_read_light;
  }
  enum cjpeg_result result = reading->errors.result;
  jpeg_destroy_decompress(&reading->library);
  free(reading);
  return result;
}
