#define _GNU_SOURCE
#include "CJobQueue.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// These declarations come from the runtime's MiscellaneousABI and Concurrency headers, which the
// toolchain does not install.
typedef struct Job Job;
typedef __attribute__((swiftcall)) void (*Enqueue)(Job *job);
typedef __attribute__((swiftcall)) void (*EnqueueHook)(Job *job, Enqueue original);
extern __attribute__((swiftcall)) void swift_job_run(Job *job, void *identity, uintptr_t implementation);

static _Thread_local bool is_open;
static _Thread_local Job **jobs;
static _Thread_local size_t count;
static _Thread_local size_t capacity;

static __attribute__((swiftcall)) void keep(Job *job, Enqueue original) {
    if (!is_open) {
        original(job);
        return;
    }
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        jobs = realloc(jobs, capacity * sizeof *jobs);
        if (!jobs) abort();
    }
    jobs[count++] = job;
}

// Runs before any thread can enqueue. The hook is looked up by name: if an executable refers to a
// variable of a shared library, the linker copies the variable, and the library does not read the
// copy.
__attribute__((constructor)) static void install(void) {
    EnqueueHook *hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
    if (!hook) abort();
    *hook = keep;
}

void job_queue_open(void) { is_open = true; }

void job_queue_close(void) {
    is_open = false;
    free(jobs);
    jobs = NULL;
    count = capacity = 0;
}

size_t job_queue_count(void) { return count; }

void job_queue_run(size_t index) {
    if (index >= count) abort();
    Job *job = jobs[index];
    jobs[index] = jobs[--count];
    // The job runs on no particular executor, as on the global executor.
    swift_job_run(job, NULL, 0);
}
