package diag

var moduleRules = []Rule{}
