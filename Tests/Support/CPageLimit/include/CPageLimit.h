#pragma once
#include <stdbool.h>

/// Lets no SQLite database that this process opens from now on grow while it has a reserve: a full
/// disk where nothing may be mounted.
///
/// Returns whether this machine can. The SQLite of Apple's systems cannot.
bool page_limit_install(void);
