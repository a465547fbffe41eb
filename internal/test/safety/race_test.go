//go:build race

package safety_test

// raceDetector reports whether the race detector is on.
const raceDetector = true
