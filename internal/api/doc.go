// Package api lists what the library exports: one file for each package that users can
// import, one line for each name, with its type. A test compares the files with the code,
// so that each change of the API is seen in a diff and named in CHANGELOG.
//
//	UPDATE_GOLDEN=1 go test ./internal/api    # write the files
//
// The proposals of 2009 are not listed: they may change in any release.
package api
