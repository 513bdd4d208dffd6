// Backplane
