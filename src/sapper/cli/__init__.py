"""The commands, a file each, and what they share: options, output, exit codes. A command imports what it needs when it runs, so that `sapper --help` is instant."""
