//go:build race

package cluster

const raceDetector = true
