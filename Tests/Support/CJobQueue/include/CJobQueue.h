#ifndef CJOBQUEUE_H
#define CJOBQUEUE_H

#include <stddef.h>

// Keeps the jobs of Swift's concurrency runtime that a thread enqueues, so that a test decides which runs next.
//
// All functions concern the calling thread only; other threads enqueue as ever.

/// Keeps the global executor's jobs that the calling thread enqueues from now on.
void job_queue_open(void);

/// Hands jobs that the calling thread enqueues to the global executor again. Jobs that are still kept never run.
void job_queue_close(void);

/// How many jobs are kept.
size_t job_queue_count(void);

/// Removes a job and runs it on the calling thread until it suspends or ends. Another one takes its index.
void job_queue_run(size_t index);

#endif
