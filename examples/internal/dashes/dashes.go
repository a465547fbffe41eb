// Package dashes lets flags of programs with cobra be written as in other Go
// programs.
package dashes

import "unicode"

// Double turns -flag into --flag. Flags of one letter stay, and so does all
// after "--".
func Double(args []string) []string {
	doubled := make([]string, len(args))
	copy(doubled, args)
	for i, a := range doubled {
		if a == "--" {
			break
		}
		if len(a) > 2 && a[0] == '-' && a[1] != '-' && unicode.IsLetter(rune(a[1])) {
			doubled[i] = "-" + a
		}
	}
	return doubled
}
