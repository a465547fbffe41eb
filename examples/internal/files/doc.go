// Package files opens, replaces and creates files of a program, and its unix sockets, at paths where
// other programs may have left something else, and where others may read at any time. It reads texts
// that people have written.
package files
