// Runs a program with its input and outputs on /dev/null and prints what it took: wall and CPU microseconds (its
// children's included), peak kilobytes, exit status. A small process does this because a new process starts with the
// peak of the one that it was forked from.
//
//   launch PROGRAM ARGUMENT...
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long microseconds(struct timeval time) { return time.tv_sec * 1000000L + time.tv_usec; }

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

int main(int count, char **arguments) {
  posix_spawn_file_actions_t actions;
  struct rusage usage;
  pid_t child;
  int status;
  if (count < 2) return 2;
  posix_spawn_file_actions_init(&actions);
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  }
  long start = now();
  if (posix_spawnp(&child, arguments[1], &actions, NULL, arguments + 1, environ)) return 3;
  if (wait4(child, &status, 0, &usage) < 0) return 4;
  long wall = now() - start;
  long cpu = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  printf("%ld %ld %ld %d\n", wall, cpu, usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 255);
  return 0;
}
