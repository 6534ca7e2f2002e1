// Reads TOML 1.0 with toml++ and reports invalid texts. These functions throw no exceptions.
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

/// The maximum length of a text in bytes, its dots and its nested brackets. Each dot of a key can open a nested table.
/// The parser frees nested tables by recursion, so the limit of dots limits its stack.
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

/// A text in UTF-8 without a terminating zero. The text can contain U+0000.
struct ctoml_text {
  const char *bytes;
  size_t length;
};

/// A value, with its key in the table.
struct ctoml_node {
  enum ctoml_kind kind;
  /// The key; empty for the root and for the elements of arrays.
  struct ctoml_text key;
  /// The position of the key, or of the value without a key. Counted from 1, columns in characters. 0: unknown.
  uint32_t line, column;
  /// The string; empty for values of other kinds.
  struct ctoml_text string;
  /// The integer, or 1 for true.
  int64_t integer;
  double real;
  /// The members of a table, sorted by key, or the elements of an array in their order.
  size_t first_child, child_count;
};

/// Either nodes or a message. The first node is the root, and each node precedes its children.
struct ctoml_result {
  const struct ctoml_node *nodes;
  size_t count;
  /// The message in UTF-8 with a terminating zero; NULL: the text is valid.
  const char *message;
  /// The position to which the message applies, as in a node.
  uint32_t line, column;
  /// Whether the text exceeds a limit (length or dots).
  bool is_bound;
  /// For internal use only.
  void *owner;
};

/// Reads a text. The caller must free every result with ctoml_free.
struct ctoml_result ctoml_read(const char *text, size_t length) CTOML_NOEXCEPT;

void ctoml_free(struct ctoml_result result) CTOML_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
