package plumb

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Tests that ran in an earlier run of the task, whose report the ledger gave back,
// are feedback.
//
// covers: CHN-2
func TestTestsOfAnEarlierRunAreFeedback(t *testing.T) {
	s := &spending{information: 10, limits: Budgets{}.withDefaults()}
	assert.Contains(t, s.imbalance(false), "everything was spent on information and nothing on feedback: no test ran")
	assert.Empty(t, s.imbalance(true))
}
