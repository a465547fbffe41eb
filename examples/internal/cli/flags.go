package cli

import "unicode"

// DoubleDashes turns -flag into --flag, so that programs that use cobra accept flags with one dash,
// as other Go programs do. It leaves flags of one letter alone, and all
// arguments after "--".
func DoubleDashes(args []string) []string {
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
