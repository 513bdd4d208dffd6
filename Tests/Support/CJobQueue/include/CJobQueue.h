#ifndef CJOBQUEUE_H
#define CJOBQUEUE_H

#include <stddef.h>

// Keeps the jobs of Swift's concurrency runtime that a thread enqueues, so that a test decides
// which job runs next.
//
// All functions affect only the calling thread. Other threads enqueue as usual.

/// Keeps the global executor's jobs that the calling thread enqueues from now on.
void job_queue_open(void);

/// Sends later jobs of the calling thread to the global executor again. Jobs that are still kept
/// never run.
void job_queue_close(void);

/// Returns the number of kept jobs.
size_t job_queue_count(void);

/// Removes a job and runs it on the calling thread until it suspends or ends. The last job takes
/// its index.
void job_queue_run(size_t index);

#endif
