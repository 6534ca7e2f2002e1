// Makes the flushes of a program as slow as those of a memory card, and counts them. Loaded with LD_PRELOAD.
//
// SLOW_FLUSH_CONTROL names a file with two numbers of 64 bits: the delay of each flush in microseconds, which may change
// at any time, and the number of flushes so far. A card does one flush at a time, so the flushes of all threads wait for
// each other.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct control {
  _Atomic uint64_t delay;
  _Atomic uint64_t count;
};

static struct control *control;
static pthread_mutex_t card = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void open_control(void) {
  const char *path = getenv("SLOW_FLUSH_CONTROL");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) abort();
  control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (control == MAP_FAILED) abort();
  close(file);
}

static void wait_for_card(void) {
  uint64_t delay = control->delay;
  struct timespec rest = {.tv_sec = delay / 1000000, .tv_nsec = delay % 1000000 * 1000};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) continue;
}

#define FLUSH(name, declaration, arguments)                               \
  int name declaration {                                                  \
    static int(*_Atomic next) declaration;                                \
    if (!next) next = (int(*) declaration)dlsym(RTLD_NEXT, #name);        \
    pthread_mutex_lock(&card);                                            \
    control->count++;                                                     \
    wait_for_card();                                                      \
    int result = next arguments;                                          \
    int error = errno;                                                    \
    pthread_mutex_unlock(&card);                                          \
    errno = error;                                                        \
    return result;                                                        \
  }

FLUSH(fsync, (int file), (file))
FLUSH(fdatasync, (int file), (file))
FLUSH(syncfs, (int file), (file))
FLUSH(sync_file_range, (int file, off64_t offset, off64_t length, unsigned int flags), (file, offset, length, flags))
