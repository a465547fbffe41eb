// Package files opens, replaces and creates files and unix sockets of a program, at paths where
// other programs may have left something else, or may read at any time. It also reads texts that
// people have written.
package files
