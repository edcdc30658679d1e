# Sourced by tests of programs over ranks, which have set mpiexec. Gives them `run RANKS PROGRAM ARGUMENT...`, which ends within a minute.
# Open MPI by itself refuses root and more ranks than cores, and in containers warns of what it may not do. Ranks that wait let others run.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
run() { timeout 60 "$mpiexec" -n "$@"; }
