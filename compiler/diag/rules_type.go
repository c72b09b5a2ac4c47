package diag

var typeRules = []Rule{}
