#!/usr/bin/env -S node --max-semi-space-size=8 --max-old-space-size=256
// The two numbers keep the server below 150 MB after heavy load (bench/README.md); long work is done in other processes.
await import('../dist/main.js')
