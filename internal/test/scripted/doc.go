// Package scripted contains models of programs that cannot be installed everywhere, for
// tests: how clients join and read the packets of an answer, and how servers answer. Each
// does what the source of the program does, with its faults.
package scripted
