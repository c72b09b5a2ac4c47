package diag

var flowRules = []Rule{}
