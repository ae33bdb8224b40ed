"""The fault lab: a real striped file system on one machine, with faults to inject.

Layers, each a module: shell (processes) -> network, disk, filesystem (the system under test) ->
workload, faults -> cleanup -> lab (all of it up and down) -> monitor (exporters, diagnoser) ->
demo. Python's standard library only; needs root.
"""
