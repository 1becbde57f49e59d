import '../services/victim-host/testing/mutants/main.ts'
