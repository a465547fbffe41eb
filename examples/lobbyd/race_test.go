//go:build race

package main

// raceDetector reports whether it is on.
const raceDetector = true
