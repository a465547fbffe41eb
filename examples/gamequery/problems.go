package main

import "strings"

// problems returns the errors that were joined in err, one for each line.
func problems(err error) (all []error) {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var texts []string
		for _, joined := range e.Unwrap() {
			texts = append(texts, joined.Error())
			all = append(all, problems(joined)...)
		}
		if err.Error() == strings.Join(texts, "\n") {
			return all
		}
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil && err.Error() == inner.Error() {
			return problems(inner)
		}
	}
	return []error{err}
}
