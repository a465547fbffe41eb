//go:build race

package main

// raceDetector tells whether it is on.
const raceDetector = true
