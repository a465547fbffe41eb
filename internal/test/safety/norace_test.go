//go:build !race

package safety_test

const raceDetector = false
