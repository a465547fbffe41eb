// Package safety tests the guarantees in .github/SECURITY.md that concern all servers
// together: no two of them can be made to answer each other, answers to unverified sources
// are as large as the table there says, and floods and malformed messages neither exhaust
// memory nor keep clients from being answered. It also tests that all answer from the
// address that received the query. It contains no code.
package safety
