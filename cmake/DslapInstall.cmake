# What `cmake --install` puts where, in two components that are the two Debian packages:
# cmake/DslapPackages.cmake. --prefix and DESTDIR are honoured at install time.
include(GNUInstallDirs)

set(dslap_completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# ---- controller
install(TARGETS dslap RUNTIME COMPONENT controller)
install(FILES ${DSLAP_MANUAL_DIR}/dslap.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        COMPONENT controller)
install(FILES ${DSLAP_MANUAL_DIR}/completions/dslap DESTINATION ${dslap_completions}
        COMPONENT controller)
install(FILES LICENSE README.md CHANGELOG.md deploy/debian/copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dslap COMPONENT controller)
install(FILES docs/cli.md docs/compatibility.md docs/json.md docs/links.md docs/operations.md
              docs/option-files.md docs/performance.md docs/report.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dslap/docs COMPONENT controller)

# ---- agent
install(TARGETS dslap-agent RUNTIME COMPONENT agent)
install(PROGRAMS deploy/make-certs.sh DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME dslap-make-certs
        COMPONENT agent)
install(FILES ${DSLAP_MANUAL_DIR}/dslap-make-certs.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        COMPONENT agent)
install(FILES ${DSLAP_MANUAL_DIR}/dslap-agent.conf.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5
        COMPONENT agent)
install(FILES ${DSLAP_MANUAL_DIR}/dslap-agent.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8
        COMPONENT agent)
install(FILES ${DSLAP_MANUAL_DIR}/completions/dslap-agent DESTINATION ${dslap_completions}
        COMPONENT agent)
install(FILES LICENSE CHANGELOG.md deploy/debian/copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dslap-agent COMPONENT agent)
install(FILES docs/agent.md docs/agent_service.md docs/links.md docs/operations.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dslap-agent/docs COMPONENT agent)

# The units name the program and its files in full, so they are written for the prefix at hand.
install(CODE "
  set(DSLAP_SYSTEMD_SOURCES \"${CMAKE_SOURCE_DIR}/deploy/systemd\")
  set(DSLAP_SCRATCH \"${CMAKE_BINARY_DIR}/units\")
  set(DSLAP_BINDIR \"${CMAKE_INSTALL_BINDIR}\")
  set(DSLAP_SYSCONFDIR \"${CMAKE_INSTALL_SYSCONFDIR}\")
  include(\"${CMAKE_SOURCE_DIR}/cmake/InstallService.cmake\")" COMPONENT agent)
