// Package bench is shared by the benchmark programs. It runs children, which are
// processes of the same program, measures the resources of a process, and formats
// numbers with their spread.
package bench
