// Package scripted has models of programs that cannot be installed everywhere, for
// tests: how clients join the packets of an answer, and what they read in it, and how
// servers answer. Each does what the source of the program does, with its faults.
package scripted
