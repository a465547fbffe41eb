// Package bench is what the benchmark programs share: children, which are
// processes of the program itself, what a process has used, and numbers with
// their spread.
package bench
