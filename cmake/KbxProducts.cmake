# What people run: bin/kbx, lib/libkbxworker.so, share/kbx/{suite,worker,report}. The build tree has the release's layout.
