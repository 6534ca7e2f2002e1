// Reads TOML 1.0 with toml++ and reports every fault of a text. These functions throw no exceptions.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CTOML_NOEXCEPT noexcept
extern "C" {
#else
#define CTOML_NOEXCEPT
#endif

/// The bounds of a text, in bytes, dots and open brackets. Each dot of a key can open a table in a table, and the
/// parser frees nested tables by recursion, so the dots bound its stack.
enum { ctoml_length_max = 1 << 16, ctoml_dots_max = 2048, ctoml_depth_max = 32 };

enum ctoml_kind {
  ctoml_table,
  ctoml_array,
  ctoml_string,
  ctoml_integer,
  ctoml_float,
  ctoml_boolean,
  ctoml_date,
  ctoml_time,
  ctoml_date_time,
};

/// UTF-8, not terminated; may contain U+0000.
struct ctoml_text {
  const char *bytes;
  size_t length;
};

/// A value and its key in the table.
struct ctoml_node {
  enum ctoml_kind kind;
  /// Empty for the root and for the elements of arrays.
  struct ctoml_text key;
  /// The position of the key, or without a key of the value; counted from 1, columns in characters. 0: unknown.
  uint32_t line, column;
  /// The string; empty for other kinds.
  struct ctoml_text string;
  /// The integer, or 1 for true.
  int64_t integer;
  double real;
  /// The members of a table, sorted by their keys, or the elements of an array, in their order.
  size_t first_child, child_count;
};

/// Either nodes, of which the first is the root and each precedes its children, or a message.
struct ctoml_result {
  const struct ctoml_node *nodes;
  size_t count;
  /// Terminated UTF-8; NULL: the text was read.
  const char *message;
  /// Where the message applies, as in a node.
  uint32_t line, column;
  /// Whether the text exceeds a bound (length or dots).
  bool is_bound;
  /// Internal.
  void *owner;
};

/// Reads a text. The caller must free every result.
struct ctoml_result ctoml_read(const char *text, size_t length) CTOML_NOEXCEPT;

void ctoml_free(struct ctoml_result result) CTOML_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
